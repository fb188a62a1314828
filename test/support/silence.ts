// A console call that a test did not ask for is a defect: stdout belongs to hook output, stderr to one clear line.
for (const level of ["log", "info", "warn", "error", "debug"] as const) {
  console[level] = (...args: unknown[]) => {
    throw new Error(`stray console.${level}: ${args.map(String).join(" ")}`);
  };
}

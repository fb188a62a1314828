// Archives that are the same to the byte whenever and wherever they are made: fixed times, owners and order.
import { zipSync } from "fflate";
import { createTar } from "nanotar";

/** A file of an archive. */
export interface Item {
  name: string;
  data: Uint8Array;
  isProgram: boolean;
}

/** Seconds since 1970 that every file is dated; the zip format knows no earlier year than 1980. */
const dated = Date.UTC(1980, 0, 1, 12) / 1000;

/** A tar.gz archive. */
export function tarGz(items: readonly Item[]): Uint8Array {
  const tar = createTar(
    items.map(({ name, data, isProgram }) => ({
      name,
      data,
      attrs: { mode: isProgram ? "755" : "644", uid: 0, gid: 0, mtime: dated * 1000, user: "root", group: "root" },
    })),
  );
  const gz = Bun.gzipSync(ended(tar), { level: 9 });
  gz.fill(0, 4, 8); // no time
  gz[9] = 255; // no system
  return gz;
}

// nanotar ends with one empty block at times; POSIX asks for two, and tar says so. Records are of 10 KB, as tar's own.
function ended(tar: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(Math.ceil((tar.length + 1024) / 10_240) * 10_240);
  whole.set(tar);
  return whole;
}

/** A zip archive. */
export function zip(items: readonly Item[]): Uint8Array {
  const unix = 3;
  return zipSync(
    Object.fromEntries(
      items.map(({ name, data, isProgram }) => [
        name,
        [data, { os: unix, attrs: (isProgram ? 0o100755 : 0o100644) << 16, mtime: localDate() }],
      ]),
    ),
    { level: 9 },
  );
}

// The zip format keeps local times: the same figures whatever the machine's zone.
const localDate = (): Date => new Date(1980, 0, 1, 12);

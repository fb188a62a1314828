/** A whole number with commas: 141,000. By hand, because toLocaleString costs 4 ms the first time in a process. */
export const withCommas = (n: number): string => `${Math.round(n)}`.replace(/\B(?=(\d{3})+$)/g, ",");

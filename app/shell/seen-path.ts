/** Beacon path by which a browser reports a client-side navigation. */
export const SEEN_PATH = '/seen'

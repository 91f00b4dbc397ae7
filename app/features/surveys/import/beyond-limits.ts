/** A foreign file exceeds what any survey needs: more rows, columns, text or elements than we read. */
export class BeyondLimitsError extends Error {}

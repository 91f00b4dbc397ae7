/** What a file of somebody else holds is more than any survey: more rows, columns, words or elements than are read. */
export class BeyondLimitsError extends Error {}

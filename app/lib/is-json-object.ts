export type JsonObject = Record<string, unknown>

/** True for a JSON object: neither a list nor null. */
export const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

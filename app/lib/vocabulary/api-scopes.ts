/** What an API token may be let into, each for reading or also for writing. Texts: `api:tokens.areas`. */
export const API_AREAS = ['content', 'surveys', 'responses', 'contributions', 'people', 'messages', 'connections', 'audit'] as const
export type ApiArea = (typeof API_AREAS)[number]

export const API_ACCESS = ['read', 'write'] as const
export type ApiAccess = (typeof API_ACCESS)[number]

/** `surveys:write` includes `surveys:read`. */
export type ApiScope = `${ApiArea}:${ApiAccess}`
export const API_SCOPES = API_AREAS.flatMap((area) => API_ACCESS.map((access): ApiScope => `${area}:${access}`)) as [
  ApiScope,
  ...ApiScope[],
]

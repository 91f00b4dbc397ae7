/** Formats for exporting what people sent to an activity. `geojson` only holds what has a place. */
export const ACTIVITY_FORMATS = ['xlsx', 'csv', 'json', 'geojson'] as const
export type ActivityFormat = (typeof ACTIVITY_FORMATS)[number]

/** Formats of what is open to everybody. */
export const OPEN_FORMATS = ['csv', 'json', 'geojson'] as const satisfies readonly ActivityFormat[]
export type OpenFormat = (typeof OPEN_FORMATS)[number]

export const isActivityFormat = (text: string): text is ActivityFormat => (ACTIVITY_FORMATS as readonly string[]).includes(text)

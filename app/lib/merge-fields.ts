/** Placeholders that a campaign's text may contain in double braces. */
export const MERGE_FIELDS = ['name', 'site', 'link'] as const
export type MergeValues = Record<(typeof MERGE_FIELDS)[number], string>

const FIELD = /\{\{\s*(\w+)\s*\}\}/g

export const fillMergeFields = (text: string, values: MergeValues): string =>
  text.replace(FIELD, (whole, name: string) => (name in values ? values[name as keyof MergeValues] : whole))

export const findUnknownFields = (text: string): string[] =>
  [...text.matchAll(FIELD)].flatMap(([, name = '']) => (MERGE_FIELDS.some((known) => known === name) ? [] : [name]))

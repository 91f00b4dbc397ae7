export type FormValues = Readonly<Record<string, string | string[] | undefined>>

/** Name of a question's form field, or of a part of it: a row, the text beside its option "other". */
export const buildFieldName = (questionId: string, ...part: string[]): string => ['q', questionId, ...part].filter(Boolean).join('.')

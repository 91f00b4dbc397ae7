/** Pattern of SQL's LIKE for texts that contain `words` as they stand. */
export const toLikePattern = (words: string): string => `%${words.trim().replace(/[\\%_]/g, '\\$&')}%`

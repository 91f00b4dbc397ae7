/** SQL LIKE pattern for texts that contain `words` literally. */
export const toLikePattern = (words: string): string => `%${words.trim().replace(/[\\%_]/g, '\\$&')}%`

/** `npm run bench -- --quick`: all rows of the table of goals within three minutes, less exactly. */
export const IS_QUICK = process.argv.includes('--quick')

/** How often the product and its baseline are measured in turn. */
export const ROUNDS = IS_QUICK ? 2 : 3

const MOST_QUICK_SECONDS = 1.5

/** How long one load takes. */
export const limitSeconds = (seconds: number): number => (IS_QUICK ? Math.min(seconds, MOST_QUICK_SECONDS) : seconds)

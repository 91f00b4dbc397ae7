/** A date, a time or neither, in a form that needs both: `2026-12-05T`, `T17:00`. A question mark stands for incomplete input. */
const HALF_MOMENT = /^(?:(?:\d{4}-\d{2}-\d{2}|\?)(?:T\??)?|T(?:\d{2}:\d{2}|\?)?|\?T\d{2}:\d{2})$/

/** True for a partly typed date and time: not valid, but not empty either. */
export const isHalfMoment = (value: string | null | undefined): boolean => typeof value === 'string' && HALF_MOMENT.test(value)

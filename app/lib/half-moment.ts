/** A day, a time, or neither, where a form asks for both: `2026-12-05T`, `T17:00`. A question mark stands for what was begun and is no day or time yet. */
const HALF_MOMENT = /^(?:(?:\d{4}-\d{2}-\d{2}|\?)(?:T\??)?|T(?:\d{2}:\d{2}|\?)?|\?T\d{2}:\d{2})$/

/** Whether somebody typed part of a moment: it is no moment, and must not be taken for none. */
export const isHalfMoment = (value: string | null | undefined): boolean => typeof value === 'string' && HALF_MOMENT.test(value)

export const MAX_TASK_TITLE = 200

/** Which tasks a list shows. */
export const TASK_STATES = ['open', 'done'] as const

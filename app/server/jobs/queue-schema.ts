/** Schema of the job queue's tables: they belong to no site and hold no content, so row-level security does not apply to them. */
export const QUEUE_SCHEMA = 'pgboss'

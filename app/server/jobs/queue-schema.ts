/** Schema of the job queue's own tables: of no one site, holding no content, and out of reach of row-level security's rule. */
export const QUEUE_SCHEMA = 'pgboss'

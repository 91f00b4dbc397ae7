import * as v from 'valibot'
import { emailSchema } from '#app/features/accounts/accounts.schema.ts'

/** Per person. */
export const MAX_REPORT_VIEWS = 30
export const MAX_RECIPIENTS = 20
export const MAX_QUERY_LENGTH = 6000
/** Links that are open at once, of one report. */
export const MAX_LINKS = 20
/** How long a link may last. */
export const LONGEST_LINK_DAYS = 366

export const recipientsSchema = v.pipe(v.array(emailSchema), v.maxLength(MAX_RECIPIENTS, 'too-many'))

import * as v from 'valibot'
import { toSafeHref } from '#app/lib/rich-text.ts'
import { requireValid } from '#app/lib/validate.ts'
import { createFormHandler, seeOther } from '#app/server/forms.ts'
import { isHttps } from '#app/server/site-url.ts'
import { CONSENT_CHOICES, createConsentCookie } from './consent.ts'

const schema = v.object({ consent: v.picklist(CONSENT_CHOICES), back: v.optional(v.pipe(v.string(), v.maxLength(2000)), '') })

/** Stores the choice and returns to the page it was made on. */
export const saveConsent = createFormHandler({ by: 'anyone' }, async ({ ctx, values, path }) => {
  const { consent, back } = requireValid(schema, values)
  const local = back.startsWith('/') ? toSafeHref(back) : undefined
  return seeOther(local ?? path('/cookies'), { 'set-cookie': createConsentCookie(consent, isHttps(ctx)) })
})

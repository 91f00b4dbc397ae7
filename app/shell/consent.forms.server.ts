import * as v from 'valibot'
import { safeHref } from '#app/lib/rich-text.ts'
import { parse } from '#app/lib/validate.ts'
import { formHandler, seeOther } from '#app/server/forms.ts'
import { CONSENT_CHOICES, consentCookie } from './consent.ts'

const schema = v.object({ consent: v.picklist(CONSENT_CHOICES), back: v.optional(v.pipe(v.string(), v.maxLength(2000)), '') })

/** Keeps the choice and goes back to the page it was made on. */
export const saveConsent = formHandler({ by: 'anyone' }, async ({ values, path }) => {
  const { consent, back } = parse(schema, values)
  const local = back.startsWith('/') ? safeHref(back) : undefined
  return seeOther(local ?? path('/cookies'), { 'set-cookie': consentCookie(consent) })
})

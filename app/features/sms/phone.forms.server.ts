import * as v from 'valibot'
import { AppError } from '#app/lib/app-error.ts'
import { requireValid } from '#app/lib/validate.ts'
import { createFormHandler } from '#app/server/forms.ts'
import { confirmPhone, removePhone, requestPhoneCode, setSmsConsent } from './phone-numbers.server.ts'

const required = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(200))
const numberSchema = v.object({ phone: required, password: required })
const codeSchema = v.object({ code: required })

/** The forms of the phone number page, distinguished by their field `form`. */
export const phoneForm = createFormHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  const page = path('/account/phone')
  switch (values['form']) {
    case 'number':
      await requestPhoneCode(ctx, requireValid(numberSchema, values))
      return page
    case 'code':
      await confirmPhone(ctx, requireValid(codeSchema, values))
      return `${page}?done=phone-confirmed`
    case 'consent':
      await setSmsConsent(ctx, values['consent'] !== undefined)
      return `${page}?done=profile`
    case 'remove':
      await removePhone(ctx)
      return `${page}?done=phone-removed`
    default:
      throw new AppError('bad-request')
  }
})

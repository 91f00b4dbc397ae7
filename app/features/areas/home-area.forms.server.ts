import * as v from 'valibot'
import { requireValid } from '#app/lib/validate.ts'
import { createFormHandler } from '#app/server/forms.ts'
import { setHomeArea } from './home-area.server.ts'

const postcodeSchema = v.object({ postcode: v.pipe(v.string(), v.trim(), v.maxLength(20)) })
const formSchema = v.object({ area: v.pipe(v.optional(v.string(), ''), v.nonEmpty()) })

/** Forms of the page where people say where they live, or withdraw it. */
export const homeAreaForm = createFormHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  if (values['form'] === 'forget') await setHomeArea(ctx, { area: null, consent: false })
  else {
    const agreed = { consent: values['consent'] !== undefined, forNews: values['forNews'] !== undefined }
    const { postcode } = requireValid(postcodeSchema, { postcode: values['postcode'] ?? '' })
    // A typed postcode overrides the area chosen before.
    await setHomeArea(ctx, postcode ? { area: '', postcode, ...agreed } : { ...requireValid(formSchema, values), ...agreed })
  }
  return `${path('/account/area')}?done=profile`
})

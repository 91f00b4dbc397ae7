import * as v from 'valibot'
import { requireValid } from '#app/lib/validate.ts'
import { createFormHandler } from '#app/server/forms.ts'
import { setHomeArea } from './home-area.server.ts'

const postcodeSchema = v.object({ postcode: v.pipe(v.string(), v.trim(), v.maxLength(20)) })
const formSchema = v.object({ area: v.pipe(v.optional(v.string(), ''), v.nonEmpty()) })

/** The forms of the page where somebody says where they live, or takes it back. */
export const homeAreaForm = createFormHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  if (values['form'] === 'forget') await setHomeArea(ctx, { area: null, consent: false })
  else {
    const agreed = { consent: values['consent'] !== undefined, forNews: values['forNews'] !== undefined }
    const { postcode } = requireValid(postcodeSchema, { postcode: values['postcode'] ?? '' })
    // What is typed goes before what was chosen earlier.
    await setHomeArea(ctx, postcode ? { area: '', postcode, ...agreed } : { ...requireValid(formSchema, values), ...agreed })
  }
  return `${path('/account/area')}?done=profile`
})

import * as v from 'valibot'
import { parse } from '#app/lib/validate.ts'
import { formHandler } from '#app/server/forms.ts'
import { setHomeArea } from './home-area.server.ts'

const formSchema = v.object({ area: v.pipe(v.optional(v.string(), ''), v.nonEmpty()) })

/** The forms of the page where somebody says where they live, or takes it back. */
export const homeAreaForm = formHandler(async ({ ctx, values, path }) => {
  if (values['form'] === 'forget') await setHomeArea(ctx, { area: null, consent: false })
  else await setHomeArea(ctx, { ...parse(formSchema, values), consent: values['consent'] !== undefined })
  return `${path('/account/area')}?done=profile`
})

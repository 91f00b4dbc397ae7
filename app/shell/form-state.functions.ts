import { createServerFn } from '@tanstack/react-start'
import { noInput } from '#app/lib/validate.ts'

/** Why the page's form was refused, if the page is rendered in answer to its own POST; null otherwise. Call it in the loader. */
export const readFormState = createServerFn()
  .validator(noInput)
  .handler(async ({ context }) => context.form ?? null)

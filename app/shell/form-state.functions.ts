import { createServerFn } from '@tanstack/react-start'
import { noInput } from '#app/lib/validate.ts'

/** What the page's form was refused with, for a page rendered in answer to its own POST; null otherwise. Call it in the loader. */
export const readFormState = createServerFn()
  .validator(noInput)
  .handler(async ({ context }) => context.form ?? null)

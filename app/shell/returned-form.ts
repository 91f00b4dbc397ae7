import { useMatches } from '@tanstack/react-router'
import type { FormState } from '#app/server/request-context.ts'

const RETURNED_FORM_ID = 'returned-form'

/** The `id` of a form that the server has returned with its input; undefined for one that was only opened. */
export const getReturnedId = (isReturned: boolean): string | undefined => (isReturned ? RETURNED_FORM_ID : undefined)

/** The id of the page's form, if the server has returned it with its input: its buttons may be anywhere on the page. */
export const useReturnedForm = (): string | undefined =>
  useMatches({
    select: (matches) => {
      const match = matches.at(-1)
      const { form } = (match?.loaderData ?? {}) as { form?: FormState | null }
      return getReturnedId(Boolean(form && !form.isShownOnce && match?.staticData.returnedForms?.includes(form.form)))
    },
  })

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Values of the field `form` of those forms that have an id once they are returned; an empty text for a form without that field. */
    returnedForms?: readonly string[]
  }
}

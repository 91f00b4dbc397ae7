import type { QueryClient } from '@tanstack/react-query'
import type { i18n } from 'i18next'
import type { FormState } from '#app/server/request-context.ts'
import { getSiteName } from '#app/shell/page-state.tsx'

/** The title starts with an error note if the form was refused. Not indexed by search engines. */
export function buildVerifyHead({ i18n, queryClient }: { i18n: i18n; queryClient: QueryClient }, form?: FormState | null) {
  const title = i18n.t('verifications:title')
  const shown = form?.faults.length ? i18n.t('verifications:error-title', { title }) : title
  const named = `${shown} · ${getSiteName(queryClient)}`
  return { meta: [{ title: named }, { name: 'robots', content: 'noindex' }, { name: 'referrer', content: 'same-origin' }] }
}

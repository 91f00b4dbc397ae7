import type { QueryClient } from '@tanstack/react-query'
import type { i18n } from 'i18next'
import type { FormState } from '#app/server/request-context.ts'
import { getSiteName } from '#app/shell/page-state.tsx'

/** Pages of this feature with a title in `locales/{language}/account.json`. */
export type TitledPage =
  | 'sign-in'
  | 'sign-out'
  | 'register'
  | 'check-mail'
  | 'confirm'
  | 'forgot'
  | 'reset'
  | 'welcome'
  | 'account'
  | 'profile'
  | 'email'
  | 'password'
  | 'phone'
  | 'area'
  | 'about-you'
  | 'follows'
  | 'devices'
  | 'delete'
  | 'two-step'
  | 'two-step-app'
  | 'two-step-passkey'
  | 'second-step'
  | 'confirm-identity'
  | 'download-reason'
  | 'first-admin'
  | 'unfollow'
  | 'follow'
  | 'verify'

/** Head of an account page. The title starts with an error note if the form was refused. Not indexed by search engines. */
export function buildAccountHead(
  { i18n, queryClient }: { i18n: i18n; queryClient: QueryClient },
  page: TitledPage,
  form?: FormState | null,
) {
  const site = getSiteName(queryClient)
  const title = i18n.t(`account:${page}.title`, { site })
  const named = `${form?.faults.length ? i18n.t('account:error-title', { title }) : title} · ${site}`
  return { meta: [{ title: named }, { name: 'robots', content: 'noindex' }, { name: 'referrer', content: 'same-origin' }] }
}

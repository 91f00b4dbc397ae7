import type { QueryClient } from '@tanstack/react-query'
import type { i18n } from 'i18next'
import type { FormState } from '#app/server/request-context.ts'
import { getSiteName } from '#app/shell/page-state.tsx'

/** Pages of the account feature that have a title in `locales/{language}/account.json`. */
export type TitledPage =
  | 'sign-in'
  | 'sign-out'
  | 'register'
  | 'check-mail'
  | 'confirm'
  | 'forgot'
  | 'reset'
  | 'account'
  | 'profile'
  | 'email'
  | 'password'
  | 'phone'
  | 'area'
  | 'follows'
  | 'devices'
  | 'delete'
  | 'first-admin'
  | 'unfollow'

/** The head of such a page; the title says first when something is wrong. No search engine needs any of them. */
export function buildAccountHead(
  { i18n, queryClient }: { i18n: i18n; queryClient: QueryClient },
  page: TitledPage,
  form?: FormState | null,
) {
  const title = i18n.t(`account:${page}.title`)
  const named = `${form ? i18n.t('account:error-title', { title }) : title} · ${getSiteName(queryClient)}`
  return { meta: [{ title: named }, { name: 'robots', content: 'noindex' }, { name: 'referrer', content: 'same-origin' }] }
}

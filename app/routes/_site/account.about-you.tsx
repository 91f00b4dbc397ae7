import { createFileRoute } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { AccountSection } from '#app/features/accounts/AccountForms.tsx'
import { readAccountSearch } from '#app/features/accounts/accounts.search.ts'
import { useSubmittedForm } from '#app/features/accounts/use-submitted-form.ts'
import { preloadQuestions } from '#app/features/profile/lazy-questions.ts'
import { OwnAnswers } from '#app/features/profile/OwnAnswers.tsx'
import { ownAnswersForm } from '#app/features/profile/profile.forms.server.ts'
import { readOwnAnswers } from '#app/features/profile/profile.functions.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'

export const Route = createFileRoute('/_site/account/about-you')({
  staticData: { namespaces: ['account', 'errors', 'survey'] },
  validateSearch: readAccountSearch,
  loader: async () => {
    const [answers, form] = await Promise.all([readOwnAnswers(), readFormState()])
    await preloadQuestions(answers)
    return { answers, form }
  },
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'about-you', loaderData?.form),
  server: { handlers: { POST: ownAnswersForm } },
  component: Page,
})

function Page() {
  const { t } = useTranslation('account')
  const { answers, form } = Route.useLoaderData()
  const { done } = Route.useSearch()
  const labels = Object.fromEntries(answers.map(({ field, label }) => [field, label.text]))
  const { errors, error } = useSubmittedForm(form, labels)
  const sent =
    form && answers.filter(({ key, field }) => form.values['question'] === key || (form.form === 'receipt' && field in form.values))
  const messages = new Map(
    (sent ?? []).flatMap(({ field }) => {
      const text = error(field)
      return text === undefined ? [] : [[field, text] as const]
    }),
  )
  return (
    <AccountSection title={t('about-you.title')} lead={t('about-you.lead')}>
      {done && !form && <Notice kind="success">{t(`done.${done}`)}</Notice>}
      <ErrorSummary title={t('problem')} errors={errors} />
      <OwnAnswers
        answers={answers}
        refused={form && sent ? { questions: sent.map(({ key }) => key), values: form.values, errors: messages } : undefined}
      />
    </AccountSection>
  )
}

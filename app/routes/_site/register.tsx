import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { readNextSearch } from '#app/features/accounts/accounts.search.ts'
import { RegisterPage } from '#app/features/accounts/SignInPages.tsx'
import { preloadQuestions, SignUpQuestions } from '#app/features/profile/lazy-questions.ts'
import { registerForm } from '#app/features/profile/profile.forms.server.ts'
import { readSignUpQuestions } from '#app/features/profile/profile.functions.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'
import { StaticPart } from '#app/ui/static-part.tsx'

export const Route = createFileRoute('/_site/register')({
  staticData: { namespaces: ['account', 'errors', 'survey'] },
  validateSearch: readNextSearch,
  loader: async () => {
    const [form, questions] = await Promise.all([readFormState(), readSignUpQuestions()])
    await preloadQuestions(questions)
    return { form, questions }
  },
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'register', loaderData?.form),
  server: { handlers: { POST: registerForm } },
  component: Page,
})

const site = getRouteApi('/_site')

function Page() {
  const { pages } = site.useLoaderData()
  const { form, questions } = Route.useLoaderData()
  const about = questions.length > 0 && {
    labels: Object.fromEntries(questions.map(({ field, label }) => [field, label.text])),
    render: (errors: ReadonlyMap<string, string>) => (
      <StaticPart
        id="about-you-questions"
        render={() => <SignUpQuestions questions={questions} values={form?.values ?? {}} errors={errors} />}
      />
    ),
  }
  return <RegisterPage {...Route.useSearch()} form={form} legal={pages.filter((page) => page.legal)} {...(about && { about })} />
}

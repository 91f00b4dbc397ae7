import { createFileRoute } from '@tanstack/react-router'
import { GonePage } from '#app/features/contributions/pages/ContributionPage.tsx'
import { replyForm } from '#app/features/contributions/contributions.forms.server.ts'
import { readReplying } from '#app/features/contributions/contributions.functions.ts'
import { ClosedWhileWriting } from '#app/features/contributions/parts/ClosedWhileWriting.tsx'
import { ReplyPage } from '#app/features/contributions/pages/ReplyPage.tsx'
import { LATE_FORM } from '#app/features/contributions/record/contributions.schema.ts'
import { buildAddressAbout } from '#app/features/contributions/parts/writing-address.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** Replying to a contribution. */
export const Route = createFileRoute('/_site/projects/$slug/$activity/$number/reply')({
  staticData: { namespaces: ['contributions', 'errors'], returnedForms: ['', LATE_FORM] },
  shouldReload: false,
  loader: async ({ params: { slug, activity, number } }) => {
    const [page, form] = await Promise.all([readReplying({ data: { project: slug, activity, number } }), readFormState()])
    return { ...page, form }
  },
  head: ({ matches, match, loaderData }) => (loaderData ? buildPageHead({ matches, match }, loaderData.head) : {}),
  server: { handlers: { POST: replyForm } },
  component: Page,
})

function Page() {
  const { activity, contribution, gone, head: _, ...page } = Route.useLoaderData()
  if (gone) {
    const address = buildAddressAbout(activity, gone.number, 'reply')
    return (
      <GonePage activity={activity} gone={gone}>
        {page.form && (
          <ClosedWhileWriting activity={activity} sending={page.sending} form={page.form} address={address} kind="reply-to-gone" />
        )}
      </GonePage>
    )
  }
  return contribution && <ReplyPage activity={activity} contribution={contribution} {...page} />
}

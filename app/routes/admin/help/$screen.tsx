import { createFileRoute } from '@tanstack/react-router'
import { HelpPage } from '#app/features/administration/admin/HelpPage.tsx'
import { HELP_SCREENS } from '#app/features/administration/help-screens.ts'
import { AppError } from '#app/lib/app-error.ts'

export const Route = createFileRoute('/admin/help/$screen')({
  staticData: { namespaces: ['help'] },
  loader: ({ params }) => {
    const screen = HELP_SCREENS.find((one) => one === params.screen)
    if (!screen) throw new AppError('not-found')
    return { screen }
  },
  component: Help,
})

function Help() {
  return <HelpPage screen={Route.useLoaderData().screen} />
}

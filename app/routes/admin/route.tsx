import { createFileRoute, Outlet, redirect } from '@tanstack/react-router'
import { lazy, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { readOwesSecondStep } from '#app/features/accounts/second-step/second-step.functions.ts'
import { FreshSignInDialog } from '#app/features/accounts/admin/FreshSignInDialog.tsx'
import { AdminFrame } from '#app/features/administration/admin/AdminFrame.tsx'
import { NotificationBell } from '#app/features/notifications/admin/NotificationBell.tsx'
import { AppError } from '#app/lib/app-error.ts'
import { type PictureChooserProps, PictureLibrary } from '#app/ui/admin/picture-input.tsx'
import styles from '#app/styles/admin.css?url'
import { WRITING_WORDS, type WritingWords, WritingWordsProvider } from '#app/ui/admin/writing/writing-words.tsx'
import { StandaloneError } from '#app/shell/error-page.tsx'
import { currentUserQuery } from '#app/shell/page-state.queries.ts'

export const Route = createFileRoute('/admin')({
  ssr: 'data-only',
  staticData: { namespaces: ['admin', 'errors', 'media'] },
  beforeLoad: async ({ context, location }) => {
    const { user } = await context.queryClient.ensureQueryData(currentUserQuery)
    if (!user) throw redirect({ href: `/sign-in?next=${encodeURIComponent(location.href)}` })
    if (user.roleName !== 'participant') return
    if (await readOwesSecondStep()) throw redirect({ href: `/account/two-step/app?next=${encodeURIComponent(location.href)}` })
    throw new AppError('forbidden')
  },
  head: () => ({ links: [{ rel: 'stylesheet', href: styles }] }),
  component: Frame,
  errorComponent: StandaloneError,
})

const Chooser = lazy(async () => {
  const { PictureChooser } = await import('#app/features/media/admin/PictureChooser.tsx')
  return { default: (props: PictureChooserProps) => <PictureChooser {...props} /> }
})

/** The frame of every admin screen; makes the media library and the editor's words available to its fields. */
function Frame() {
  const { t } = useTranslation('media')
  const library = useMemo(
    () => ({ Chooser, words: { choose: t('choose'), other: t('other'), remove: t('take-away'), none: t('none-chosen') } }),
    [t],
  )
  const { t: admin } = useTranslation('admin')
  const words = useMemo(() => Object.fromEntries(WRITING_WORDS.map((word) => [word, admin(`writing.${word}`)])) as WritingWords, [admin])
  return (
    <AdminFrame bell={(navigate) => <NotificationBell navigate={navigate} />}>
      <PictureLibrary library={library}>
        <WritingWordsProvider words={words}>
          <Outlet />
          <FreshSignInDialog />
        </WritingWordsProvider>
      </PictureLibrary>
    </AdminFrame>
  )
}

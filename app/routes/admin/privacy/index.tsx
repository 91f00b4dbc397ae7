import { createFileRoute } from '@tanstack/react-router'
import { PrivacyPage } from '#app/features/privacy/admin/PrivacyPage.tsx'

export const Route = createFileRoute('/admin/privacy/')({
  staticData: { namespaces: ['privacy'] },
  component: PrivacyPage,
})

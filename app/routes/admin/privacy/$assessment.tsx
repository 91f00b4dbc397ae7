import { createFileRoute } from '@tanstack/react-router'
import { AssessmentPage } from '#app/features/privacy/admin/AssessmentPage.tsx'
import { ASSESSMENTS } from '#app/features/privacy/assessments.ts'
import { AppError } from '#app/lib/app-error.ts'

export const Route = createFileRoute('/admin/privacy/$assessment')({
  staticData: { namespaces: ['privacy'] },
  loader: ({ params }) => {
    const assessment = ASSESSMENTS.find((name) => name === params.assessment)
    if (!assessment) throw new AppError('not-found')
    return { assessment, day: new Date().toISOString() }
  },
  component: Assessment,
})

function Assessment() {
  const { assessment, day } = Route.useLoaderData()
  return <AssessmentPage assessment={assessment} day={day} />
}

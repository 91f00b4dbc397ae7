import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReportReviewNotice } from '#app/features/heard-reports/admin/ReportReviewNotice.tsx'
import { publishedReportQuery, reportChoicesQuery, reportReviewQuery } from '#app/features/heard-reports/heard-reports.queries.ts'
import { BlockDifferences } from '#app/features/homepage/admin/BlockDifferences.tsx'
import { HOMEPAGE_DRAFT, useMissingTexts } from '#app/features/homepage/admin/homepage-draft.ts'
import { HomepageEditor, type PreviewInput } from '#app/features/homepage/admin/HomepageEditor.tsx'
import { ReportChoicesContext } from '#app/features/homepage/admin/report-choices.ts'
import { type HomeBlock, readBlocks, REPORT_BLOCK_TYPES } from '#app/features/homepage/homepage.schema.ts'
import { compareBlocks } from '#app/features/homepage/merge-blocks.ts'
import { PreviewPane } from '#app/features/live-preview/admin/PreviewPane.tsx'
import { projectQuery } from '#app/features/projects/projects.queries.ts'
import { type Compare, ConflictNotice } from '#app/features/revisions/admin/ConflictNotice.tsx'
import { DraftStatus } from '#app/features/revisions/admin/DraftStatus.tsx'
import { Presence } from '#app/features/revisions/admin/Presence.tsx'
import { RevisionTools } from '#app/features/revisions/admin/RevisionTools.tsx'
import { useRevisionDraft } from '#app/features/revisions/admin/use-revision-draft.ts'
import { draftQuery } from '#app/features/revisions/revisions.queries.ts'
import { CommentsButton } from '#app/features/teamwork/admin/CommentsButton.tsx'
import { AppError } from '#app/lib/app-error.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'

/** Edits the report of a project, with a live preview. */
export const Route = createFileRoute('/admin/projects/$id_/heard/report')({
  staticData: { namespaces: ['editor', 'heard-admin', 'teamwork', 'admin'] },
  loader: async ({ context: { queryClient }, params: { id } }) => {
    const { data: project } = await queryClient.ensureQueryData(projectQuery(id))
    if (!project.meta.can.update) throw new AppError('forbidden')
    await Promise.all([
      queryClient.fetchQuery(reportChoicesQuery(id)),
      queryClient.fetchQuery(draftQuery(toPlace(id))),
      queryClient.fetchQuery(reportReviewQuery(id)),
      queryClient.fetchQuery(publishedReportQuery(id)),
    ])
  },
  component: Report,
})

const toPlace = (projectId: string) => ({ subject: 'heard-report', placeId: projectId }) as const

function Report() {
  const { id } = Route.useParams()
  return <ReportEditor key={id} projectId={id} />
}

function ReportEditor({ projectId }: { projectId: string }) {
  const { t } = useTranslation('heard-admin')
  const { data: project } = useSuspenseQuery(projectQuery(projectId)).data
  const { data: choices } = useSuspenseQuery(reportChoicesQuery(projectId))
  const place = toPlace(projectId)
  const { data: saved } = useSuspenseQuery(draftQuery(place))
  // Computed once: from then on the editor holds the current state.
  const [first] = useState(() => ({ id: saved?.id ?? null, content: readBlocks(saved?.content) as readonly HomeBlock[] }))
  const draft = useRevisionDraft(place, first, HOMEPAGE_DRAFT)
  const { t: editor } = useTranslation('editor')
  const { locale } = useSite()
  const missingOf = useMissingTexts()
  const published = useSuspenseQuery(publishedReportQuery(projectId)).data
  const [review] = useSuspenseQuery(reportReviewQuery(projectId)).data.data
  const isWaiting = review?.status === 'in_review'
  const mustAsk = project.meta.can.publish ? choices.needsAgreement && !(isWaiting && review.meta.can.review) : true
  const mayAsk = project.meta.can.requestReview
  return (
    <ReportChoicesContext value={choices}>
      <HomepageEditor
        hubId={null}
        types={REPORT_BLOCK_TYPES}
        title={
          <>
            <h1>{t('report.title')}</h1>
            <Link to="/admin/projects/$id/heard" params={{ id: projectId }}>
              {project.title}
            </Link>
          </>
        }
        draft={draft}
        status={
          <>
            <ReportReviewNotice
              project={projectId}
              differences={
                published === null
                  ? null
                  : createComparison(locale)(readBlocks(published), draft.content, {
                      before: editor('compare.public'),
                      after: editor('compare.draft'),
                    })
              }
            />
            <CommentsButton kind="report" id={projectId} />
            <DraftStatus draft={draft}>
              <Presence place={place} draft={draft} />
            </DraftStatus>
          </>
        }
        conflict={(language) => <ConflictNotice draft={draft} compare={createComparison(language)} />}
        tools={(show, language) => (
          <RevisionTools
            place={place}
            draft={draft}
            kind={HOMEPAGE_DRAFT}
            compare={createComparison(language)}
            missingOf={missingOf}
            isEmpty={draft.content.length === 0}
            live={mayAsk ? undefined : null}
            asks={mustAsk}
            onShow={show}
          />
        )}
        preview={(input) => <Preview {...input} path={`/live-preview/reports/${projectId}`} />}
      />
    </ReportChoicesContext>
  )
}

const createComparison =
  (language: ContentLanguage): Compare<readonly HomeBlock[]> =>
  (before, after, labels) => (
    <BlockDifferences
      differences={compareBlocks(before, after)}
      language={language}
      beforeLabel={labels.before}
      afterLabel={labels.after}
    />
  )

function Preview({ path, blocks, selected, ...rest }: PreviewInput & { path: string }) {
  const { t } = useTranslation('editor')
  const shown = useMemo(() => ({ blocks, tokens: null }), [blocks])
  const block = blocks.find(({ id }) => id === selected)
  return <PreviewPane path={path} shown={shown} selected={selected} selectedName={block && t(`blocks.${block.type}.name`)} {...rest} />
}

import type { LedgerFile } from '#app/features/ledger/LedgerDownload.tsx'
import type { ActivityView } from '../record/contributions.schema.ts'

/** The file of an activity's ledger. */
export const buildLedgerFile = ({ slug, project }: Pick<ActivityView, 'slug' | 'project'>): LedgerFile => ({
  path: `/projects/${project.slug}/${slug}/ledger.jsonl`,
  name: `${slug}-ledger.jsonl`,
})

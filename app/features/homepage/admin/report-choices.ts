import { createContext } from 'react'
import type { ReportChoices } from '#app/features/heard/report-part.schema.ts'

/** What blocks of a report can show, for their forms; the editor of a report provides it. */
export const ReportChoicesContext = createContext<ReportChoices>({ needsAgreement: false, questions: [], themes: [] })

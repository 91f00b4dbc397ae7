import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Duty, DutyAct } from '../../../lib/vocabulary/duties.ts'
import { instant } from './columns.ts'

/** A question of one of the project's surveys. */
export interface DutyQuestion {
  survey: string
  question: string
}

export const consultationDuties = pgTable(
  'consultation_duties',
  {
    siteId: uuid('site_id').notNull(),
    projectId: uuid('project_id').notNull(),
    openToChange: text('open_to_change').notNull().default(''),
    notOpen: text('not_open').notNull().default(''),
    reasons: text('reasons').notNull().default(''),
    equality: text('equality').notNull().default(''),
    welshEffects: text('welsh_effects').notNull().default(''),
    effectsQuestion: jsonb('effects_question').$type<DutyQuestion>(),
    improvementsQuestion: jsonb('improvements_question').$type<DutyQuestion>(),
    lockVersion: integer('lock_version').notNull().default(1),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.projectId] })],
)

export const dutyWaivers = pgTable(
  'duty_waivers',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    act: text('act').$type<DutyAct>().notNull(),
    missing: text('missing').array().$type<Duty[]>().notNull(),
    reason: text('reason').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { omitUndefined } from '#app/lib/search-params.ts'
import { RecordChoice, RecordChoices } from '#app/shell/admin/record-choice.tsx'
import { hubSource, projectSource } from '#app/shell/admin/record-sources.ts'
import { CheckInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { buildControlProps, Field } from '#app/ui/field.tsx'
import { areasQuery } from '#app/features/areas/areas.queries.ts'
import { projectTopicsQuery } from '#app/features/projects/projects.queries.ts'
import type { ReportView } from '../report.schema.ts'
import {
  COMPARISONS,
  type PeriodFault,
  REPORT_ACTIVITIES,
  REPORT_SECTIONS,
  REPORT_STATES,
  ROLLING_DAYS,
  type ReportSearch,
  STEPS,
} from '../report.search.ts'

interface ReportFilterProps {
  search: ReportSearch
  fault: { field: 'from' | 'until'; fault: PeriodFault } | undefined
  /** Groups that the surveys of the report can be compared by. */
  groups: ReportView['groupChoices']
}

const OWN_DAYS = 'own'
const ANY = ''

/** Which projects, which days, and what of them. Nothing changes until the form is sent. */
export function ReportFilter({ search, fault, groups }: ReportFilterProps) {
  const { t } = useTranslation('reports')
  const navigate = useNavigate({ from: '/admin/reports/' })
  const [draft, setDraft] = useState(search)
  const change = (changes: { [Name in keyof ReportSearch]?: ReportSearch[Name] | undefined }) =>
    setDraft((before) => omitUndefined({ ...before, ...changes }))
  const [isOwnPeriod, setOwnPeriod] = useState(search.from !== undefined || search.until !== undefined)
  const sections = draft.sections ?? REPORT_SECTIONS
  const send = () => void navigate({ search: isOwnPeriod ? omitDays(draft) : omitOwnDays(draft) })
  return (
    <form
      className="admin-panel report-filter"
      aria-label={t('filter.label')}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div className="report-filter-fields">
        <RecordChoices
          name="projects"
          label={t('filter.projects')}
          hint={t('filter.projects-hint')}
          source={projectSource({ managed: true })}
          value={draft.projects ?? []}
          onChange={(projects) => change({ projects: projects.length > 0 ? projects : undefined })}
        />
        <RecordChoice
          name="hub"
          label={t('filter.hub')}
          none={t('filter.any-hub')}
          source={hubSource()}
          value={draft.hubs?.[0] ?? null}
          onChange={(hub) => change({ hubs: hub === null ? undefined : [hub] })}
        />
        <TopicInput value={draft.topics?.[0]} onChange={(topic) => change({ topics: topic === undefined ? undefined : [topic] })} />
        <SelectInput
          name="state"
          label={t('filter.state')}
          value={draft.states?.[0] ?? ANY}
          onChange={(state) => change({ states: state === ANY ? undefined : [state] })}
          options={[
            { value: ANY, label: t('filter.any-state') },
            ...REPORT_STATES.map((state) => ({ value: state, label: t(`states.${state}`) })),
          ]}
        />
        <SelectInput
          name="activity"
          label={t('filter.activity')}
          value={draft.activities?.[0] ?? ANY}
          onChange={(activity) => change({ activities: activity === ANY ? undefined : [activity] })}
          options={[
            { value: ANY, label: t('filter.any-activity') },
            ...REPORT_ACTIVITIES.map((activity) => ({ value: activity, label: t(`activities.${activity}`) })),
          ]}
        />
        <AreaInput value={draft.areas?.[0]} onChange={(area) => change({ areas: area === undefined ? undefined : [area] })} />
        <SelectInput
          name="period"
          label={t('filter.period')}
          value={isOwnPeriod ? OWN_DAYS : String(draft.days ?? 30)}
          onChange={(period) => {
            setOwnPeriod(period === OWN_DAYS)
            change({ days: ROLLING_DAYS.find((days) => String(days) === period) })
          }}
          options={[
            ...ROLLING_DAYS.map((days) => ({ value: String(days), label: t(`days.${days}`) })),
            { value: OWN_DAYS, label: t('filter.own-days') },
          ]}
        />
        {isOwnPeriod &&
          (['from', 'until'] as const).map((name) => (
            <DayInput
              key={name}
              name={name}
              label={t(`filter.${name}`)}
              value={draft[name]}
              error={fault?.field === name && draft[name] === search[name] ? t(`faults.${fault.fault}`) : undefined}
              onChange={(day) => change({ [name]: day })}
            />
          ))}
        <SelectInput
          name="compare"
          label={t('filter.compare')}
          value={draft.compare ?? ANY}
          onChange={(compare) => change({ compare: compare === ANY ? undefined : compare })}
          options={[
            { value: ANY, label: t('filter.compare-none') },
            ...COMPARISONS.map((value) => ({ value, label: t(`compare.${value}`) })),
          ]}
        />
        <SelectInput
          name="by"
          label={t('filter.by')}
          value={draft.by ?? ANY}
          onChange={(by) => change({ by: by === ANY ? undefined : by })}
          options={[{ value: ANY, label: t('filter.by-auto') }, ...STEPS.map((value) => ({ value, label: t(`by.${value}`) }))]}
        />
        {groups.length > 0 && (
          <SelectInput
            name="group"
            label={t('filter.group')}
            hint={t('filter.group-hint')}
            value={draft.group ?? ANY}
            onChange={(group) => change({ group: group === ANY ? undefined : group })}
            options={[{ value: ANY, label: t('filter.group-none') }, ...groups]}
          />
        )}
      </div>
      <details open={search.title !== undefined || search.head !== undefined || search.sections !== undefined}>
        <summary>{t('filter.paper')}</summary>
        <div className="report-filter-fields">
          <TextInput
            name="title"
            label={t('filter.title')}
            value={draft.title ?? ''}
            maxLength={120}
            onChange={(title) => change({ title: title || undefined })}
          />
          <TextInput
            name="head"
            label={t('filter.head')}
            hint={t('filter.head-hint')}
            value={draft.head ?? ''}
            maxLength={120}
            onChange={(head) => change({ head: head || undefined })}
          />
        </div>
        <fieldset className="report-sections">
          <legend>{t('filter.sections')}</legend>
          {REPORT_SECTIONS.map((section) => (
            <CheckInput
              key={section}
              name={`section-${section}`}
              label={t(`sections.${section}`)}
              value={sections.includes(section)}
              onChange={(isWanted) => {
                const wanted = REPORT_SECTIONS.filter((each) => (each === section ? isWanted : sections.includes(each)))
                change({ sections: wanted.length === REPORT_SECTIONS.length || wanted.length === 0 ? undefined : wanted })
              }}
            />
          ))}
        </fieldset>
      </details>
      <div className="row">
        <Button type="submit">{t('filter.show')}</Button>
      </div>
    </form>
  )
}

const omitDays = ({ days: _days, ...search }: ReportSearch): ReportSearch => search
const omitOwnDays = ({ from: _from, until: _until, ...search }: ReportSearch): ReportSearch => search

function TopicInput({ value, onChange }: { value: string | undefined; onChange: (topic: string | undefined) => void }) {
  const { t } = useTranslation('reports')
  const { data } = useQuery(projectTopicsQuery)
  return (
    <SelectInput
      name="topic"
      label={t('filter.topic')}
      value={value ?? ANY}
      onChange={(topic) => onChange(topic === ANY ? undefined : topic)}
      options={[{ value: ANY, label: t('filter.any-topic') }, ...(data ?? []).map(({ id, title }) => ({ value: id, label: title }))]}
    />
  )
}

/** Nothing on a site without areas. */
function AreaInput({ value, onChange }: { value: string | undefined; onChange: (area: string | undefined) => void }) {
  const { t } = useTranslation('reports')
  const { data: areas = [] } = useQuery(areasQuery)
  if (areas.length === 0) return null
  return (
    <SelectInput
      name="area"
      label={t('filter.area')}
      value={value ?? ANY}
      onChange={(area) => onChange(area === ANY ? undefined : area)}
      options={[{ value: ANY, label: t('filter.any-area') }, ...areas.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}

interface DayInputProps {
  name: string
  label: string
  value: string | undefined
  error: string | undefined
  onChange: (day: string | undefined) => void
}

function DayInput({ name, label, value, error, onChange }: DayInputProps) {
  const field = { name, label, error }
  return (
    <Field field={field}>
      <input
        {...buildControlProps(field)}
        className="input"
        type="date"
        value={value ?? ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      />
    </Field>
  )
}

import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Position } from '#app/lib/geometry.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { hasText } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { NumberInput, TextInput } from '#app/ui/admin/inputs.tsx'
import type { ProjectContent } from '../project-content.schema.ts'
import type { ChangeContent } from './project-draft.ts'
import { RepeatedItems } from './RepeatedItems.tsx'

/** The project's place on a map of the site. */
export type RenderPlaceMap = (map: {
  place: Position | undefined
  onChange: (place: Position | undefined) => void
  /** A search has found a place with this name. */
  onFound: (name: string, place: Position) => void
}) => ReactNode

interface ProjectPeopleProps {
  renderMap: RenderPlaceMap
  content: ProjectContent
  change: ChangeContent
  messageOf: (field: string) => string | undefined
}

/** The project's contact persons and location. */
export function ProjectPeople({ content, change, messageOf, renderMap }: ProjectPeopleProps) {
  const { t } = useTranslation('admin')
  return (
    <div className="admin-form">
      <h2>{t('fields.team')}</h2>
      <RepeatedItems
        items={content.team}
        onChange={(team) => change({ team })}
        nameOf={({ name }, at) => name.trim() || t('team.one', { number: at + 1 })}
        blank={(): ProjectContent['team'][number] => ({ name: '' })}
        words={{ none: t('team.none'), noneText: t('team.none-text'), add: t('team.add'), remove: t('team.remove') }}
      >
        {(member, set, at, language) => (
          <>
            <TextInput
              name={`team.${at}.name`}
              label={t('team.name')}
              value={member.name}
              onChange={(name) => set({ name })}
              error={messageOf(`team.${at}.name`)}
            />
            <TextInput
              name={`team.${at}.role`}
              label={t('team.role')}
              language={language}
              value={member.role?.[language] ?? ''}
              onChange={(role) => set({ role: { ...member.role, [language]: role } })}
            />
            <TextInput
              name={`team.${at}.email`}
              label={t('team.email')}
              hint={t('team.email-hint')}
              type="email"
              value={member.email ?? ''}
              onChange={(email) => set({ email: email || undefined })}
              error={messageOf(`team.${at}.email`)}
            />
          </>
        )}
      </RepeatedItems>
      <ProjectPlace content={content} change={change} messageOf={messageOf} renderMap={renderMap} />
    </div>
  )
}

type Place = NonNullable<ProjectContent['place']>

function ProjectPlace({ content, change, messageOf, renderMap }: ProjectPeopleProps) {
  const { t } = useTranslation('admin')
  const { contentLanguages: languages, locale } = useSite()
  const place: Place = content.place ?? { address: {} }
  const changePlace = (next: Partial<Place>) => {
    const { address, lat, lng } = { ...place, ...next }
    const isEmpty = lat === undefined && lng === undefined && !Object.values(address).some((text) => text.trim())
    change({ place: isEmpty ? null : { address, ...(lat === undefined ? {} : { lat }), ...(lng === undefined ? {} : { lng }) } })
  }
  return (
    <>
      <h2>{t('fields.place')}</h2>
      <p>{t('place.hint')}</p>
      {languages.map((language) => (
        <TextInput
          key={language}
          name={`place.address.${language}`}
          label={languages.length > 1 ? t('place.address-in', { language: getLanguageName(language) }) : t('place.address')}
          language={language}
          value={place.address[language] ?? ''}
          onChange={(text) => changePlace({ address: { ...place.address, [language]: text } })}
        />
      ))}
      {renderMap({
        place: place.lat === undefined || place.lng === undefined ? undefined : [place.lng, place.lat],
        onChange: (point) => changePlace({ lng: point?.[0], lat: point?.[1] }),
        onFound: (name, [lng, lat]) => changePlace({ lng, lat, ...(!hasText(place.address) && { address: { [locale]: name } }) }),
      })}
      <div className="row">
        <NumberInput
          name="place.lat"
          label={t('place.lat')}
          value={place.lat}
          onChange={(lat) => changePlace({ lat })}
          min={-90}
          max={90}
          step={0.000001}
          digits={10}
          error={messageOf('place.lat')}
        />
        <NumberInput
          name="place.lng"
          label={t('place.lng')}
          value={place.lng}
          onChange={(lng) => changePlace({ lng })}
          min={-180}
          max={180}
          step={0.000001}
          digits={10}
          error={messageOf('place.lng')}
        />
      </div>
    </>
  )
}

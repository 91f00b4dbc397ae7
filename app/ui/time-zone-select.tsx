import { groupTimeZones, type TimeZoneRegion, toCurrentTimeZone } from '#app/lib/time-zones.ts'
import { buildControlProps, Field, type FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'

interface TimeZoneSelectProps extends FieldProps {
  zones: readonly string[]
  nameRegion: (region: TimeZoneRegion) => string
  value: string
  onChange: (zone: string) => void
}

/** Time zones by part of the world. */
export function TimeZoneSelect({ zones, nameRegion, value, onChange, ...field }: TimeZoneSelectProps) {
  return (
    <Field field={field}>
      <span className="select">
        <select
          {...buildControlProps(field)}
          className="input"
          value={toCurrentTimeZone(value)}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        >
          {zones.includes('UTC') && <option value="UTC">UTC</option>}
          {groupTimeZones(zones).map(({ region, cities }) => (
            <optgroup key={region} label={nameRegion(region)}>
              {cities.map(({ zone, name }) => (
                <option key={zone} value={zone}>
                  {name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
    </Field>
  )
}

import { groupTimeZones, type TimeZoneRegion, toCurrentTimeZone } from '#app/lib/time-zones.ts'
import { buildControlProps, Field, type FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'

interface TimeZoneSelectProps extends FieldProps {
  zones: readonly string[]
  nameRegion: (region: TimeZoneRegion) => string
  /** Given with `onChange`, or else `defaultValue`. */
  value?: string
  defaultValue?: string
  onChange?: (zone: string) => void
}

/** Time zones by part of the world. */
export function TimeZoneSelect({ zones, nameRegion, value, defaultValue, onChange, ...field }: TimeZoneSelectProps) {
  return (
    <Field field={field}>
      <span className="select">
        <select
          {...buildControlProps(field)}
          className="input"
          value={value === undefined ? undefined : toCurrentTimeZone(value)}
          defaultValue={defaultValue}
          onChange={onChange && (({ currentTarget }) => onChange(currentTarget.value))}
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

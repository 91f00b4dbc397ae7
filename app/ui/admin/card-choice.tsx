interface CardChoiceProps {
  name: string
  legend: string
  options: readonly { value: string; title: string; text: string }[]
  value: string
  onChange: (value: string) => void
}

/** One of a few, each with a sentence about it. */
export function CardChoice({ name, legend, options, value: chosen, onChange }: CardChoiceProps) {
  return (
    <fieldset className="field card-choices">
      <legend className="field-label">{legend}</legend>
      {options.map(({ value, title, text }) => (
        <div key={value} className="card-choice">
          <input
            type="radio"
            name={name}
            id={`${name}-${value}`}
            value={value}
            checked={chosen === value}
            aria-describedby={`${name}-${value}-text`}
            onChange={() => onChange(value)}
          />
          <label htmlFor={`${name}-${value}`}>{title}</label>
          <small id={`${name}-${value}-text`}>{text}</small>
        </div>
      ))}
    </fieldset>
  )
}

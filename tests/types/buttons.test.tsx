import { expect, test } from 'vitest'
import { Button } from '#app/ui/button.tsx'

/** Never runs: `npm run typecheck` fails if a line marked as wrong is accepted or a right one is not. */
function buttons() {
  const act = () => undefined
  return [
    <Button key="1" type="submit" />,
    <Button key="2" onClick={act} />,
    <Button key="3" type="button" onClick={act} />,
    <Button key="4" type="submit" name="consent" value="denied" onClick={act} />,
    // @ts-expect-error -- neither submits nor acts
    <Button key="5" />,
    // @ts-expect-error -- neither submits nor acts
    <Button key="6" type="button" />,
    // @ts-expect-error -- nothing here resets a form
    <Button key="7" type="reset" onClick={act} />,
  ]
}

test('buttons are type-checked', () => {
  expect(buttons).toBeTypeOf('function')
})

import { readEnv } from '../server/env.ts'
import { isDiskFull, StartupFault } from '../server/startup-fault.ts'
import { COMMANDS, type Command } from './commands.ts'

const USAGE = `Usage: npm run -s parley -- <command>

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(14)} ${summary}`)
  .join('\n')}

Settings are environment variables; the README lists them.`

const [name = 'help', ...words] = process.argv.slice(2)
const command = (COMMANDS as Record<string, Command | undefined>)[name]
if (name === 'help' || name === '--help' || name === '-h') console.log(USAGE)
else if (!command) exitWithError(`There is no command ${name}.\n\n${USAGE}`)
else {
  try {
    await (
      await command.load()
    )({ env: readEnv(process.env), words, say: (line) => console.log(line) })
  } catch (error) {
    if (error instanceof StartupFault) exitWithError(error.message)
    if (isDiskFull(error)) exitWithError('There is no room left on the disk: free some and start again.')
    throw error
  }
}

function exitWithError(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

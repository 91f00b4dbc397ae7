import { type Env, readEnv } from '../server/env.ts'
import { isDiskFull, StartupFault } from '../server/startup-fault.ts'
import { COMMANDS, type Command } from './commands.ts'
import { explainFileError } from './data-directory.ts'
import { formatUsage } from './usage.ts'

const CALL = 'npm run -s parley --'
const SETTINGS = 'Settings are environment variables: app/cli/README.md lists them.'
const USAGE = `Usage: ${CALL} <command>

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(18)} ${summary}`)
  .join('\n')}

--help after a command says more about it. ${SETTINGS}`

const isHelp = (word: string | undefined) => word === 'help' || word === '--help' || word === '-h'

const [first = 'help', ...rest] = process.argv.slice(2)
const [name, words] = isHelp(first) && rest[0] ? [rest[0], ['--help']] : [first, rest]
const command = (COMMANDS as Record<string, Command | undefined>)[name]
if (isHelp(name)) console.log(USAGE)
else if (!command) exitWithError(`There is no command ${name}.\n\n${USAGE}`)
else if (words.some((word) => word === '--help' || word === '-h')) console.log(describeCommand(name, command))
else await runCommand(command)

async function runCommand({ load }: Command): Promise<void> {
  let env: Env | undefined
  try {
    env = readEnv(process.env)
    await (
      await load()
    )({ env, words, say: (line) => console.log(line) })
  } catch (error) {
    if (error instanceof StartupFault) exitWithError(error.message)
    if (isDiskFull(error)) exitWithError('There is no room left on the disk: free some and start again.')
    const sentence = env && explainFileError(error, env.DATA_DIR)
    if (sentence) exitWithError(sentence)
    throw error
  }
}

function describeCommand(name: string, { summary, help }: Command): string {
  return `Usage: ${CALL} ${formatUsage(name)}

${summary[0]?.toUpperCase()}${summary.slice(1)}.

${help}

${SETTINGS}`
}

function exitWithError(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

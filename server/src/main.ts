// The program: runs the command that was typed, and exits with its code.
import { runCommandLine } from './commands/command-line.ts'

// The reader of our output may stop reading; that must not crash the program.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
const code = await runCommandLine(process.argv.slice(2))
// A pipe takes 64 KB at once: the rest of a long output would be lost by the exit.
if (process.stdout.writableLength > 0) await new Promise((resolve) => process.stdout.write('', resolve))
// Connections that PostgreSQL's driver still holds open must not delay the exit.
process.exit(code)

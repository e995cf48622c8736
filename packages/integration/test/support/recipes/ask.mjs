// Stands in for `npx`: has the test do what it is asked for, with the folder, the environment and the input of this process.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

const args = process.argv.slice(2);
const input = args.includes('-') ? await text(process.stdin) : '';
const socket = connect(Number(process.env.NPX_PORT), '127.0.0.1');
socket.end(JSON.stringify({ args, root: process.cwd(), environment: process.env, input }));
const { status, output, errors = '' } = JSON.parse(await text(socket));
process.stdout.write(output);
process.stderr.write(errors);
process.exitCode = status ?? 1;

// A server that answers 202 to every request and does nothing else.
import { createServer } from 'node:http';
import { reportTo } from './report-to.mjs';

const server = createServer((request, response) => {
	request.resume();
	response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"accepted"}');
});
server.listen(0, '127.0.0.1', () => reportTo(process, `http://127.0.0.1:${server.address().port}/`));

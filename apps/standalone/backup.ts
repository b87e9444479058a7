// `npm run backup -- FILE`: copies the log of the embedded product into FILE, while it runs or not.
import { backup } from '../../libs/engines/embedded/backup.ts';

await backup(process.argv[2]);

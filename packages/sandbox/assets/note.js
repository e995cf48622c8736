const place = document.querySelector('[data-note]');
let pause = 100;
const look = async () => {
	const response = await fetch(place.dataset.note).catch(() => undefined);
	const note = response?.status === 200 ? await response.text() : '';
	pause *= 1.25;
	if (note) place.innerHTML = note;
	else if (pause < 20_000) setTimeout(look, pause);
};
look();

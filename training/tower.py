"""One network in training: its weights, their running mean, and its optimizer."""
import copy
from concurrent.futures import ThreadPoolExecutor

import torch
import torch.nn.functional as F

from network import fold

AVERAGE_DECAY = 0.998
WEIGHT_DECAY = 1e-4
CLIP_NORM = 5.0
# Of the weights of earlier in a run in the final ones. Where the rate of learning falls to zero a tower becomes too sure of
# pictures unlike those that it learnt; a part of what it was before mends that (compare Izmailov et al. 2018, averaging weights).
EARLIER_SHARE = 0.35
# The other towers' answers are softened by this before they are learnt: their second and third guesses teach most.
GUESS_TEMPERATURE = 2.0


class Tower:
    """Learns a batch in `threads` parts at the same time; each part has a copy of the network that is brought up to date
    after each step."""

    def __init__(self, net, rate, device, threads=1):
        self.net = net.to(device, memory_format=torch.channels_last).train()
        self.mean = copy.deepcopy(self.net).requires_grad_(False).eval()
        self.parts = [Part(self.net, device), *(Part(copy.deepcopy(self.net), device) for _ in range(threads - 1))]
        self.pool = ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))
        self.optimizer = torch.optim.SGD(parameter_groups(self.net), lr=rate, momentum=0.9, nesterov=True)
        self.steps, self.earlier = 0, None

    def freeze(self, count):
        """Leaves the first layers as they are from now on; works with a faster copy of them."""
        if count > len(self.parts[0].frozen):
            for part in self.parts:
                part.net.load_state_dict(self.net.state_dict())
                part.freeze(count)

    def answer(self, x):
        """Logits of a batch, which is then to be learnt with `learn`."""
        return torch.cat(list(self.pool.map(Part.answer, self.parts, x.chunk(len(self.parts))))).detach()

    def learn(self, targets, guesses, trust, rate):
        """One step towards `targets`, probabilities of the labels; `guesses` are the others' logits, `trust` their weight.
        Returns the loss."""
        count = len(self.parts)
        shares = zip(*(guess.chunk(count) for guess in guesses)) if guesses else [()] * count
        losses = list(self.pool.map(Part.learn, self.parts, targets.chunk(count), shares, [trust] * count))
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.gather()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), CLIP_NORM)
        self.optimizer.step()
        self.spread()
        self.steps += 1
        average(self.mean, self.net, self.steps)
        return sum(losses) / count

    def gather(self):
        """Brings the mean of the parts' gradients into the network."""
        for own, *others in zip(*(part.net.parameters() for part in self.parts), strict=True):
            if others and own.grad is not None:
                own.grad = torch.stack([own.grad, *(other.grad for other in others)]).mean(0)

    @torch.no_grad()
    def spread(self):
        """Brings the network's new weights into the other parts, and forgets the gradients of all."""
        for own, *others in zip(*(part.net.parameters() for part in self.parts), strict=True):
            for other in others:
                other.copy_(own)
        for part in self.parts:
            part.net.zero_grad(set_to_none=True)

    def keep_earlier(self):
        """Keeps the running mean of the weights as it is at the first call."""
        self.earlier = self.earlier or copy.deepcopy(self.mean.state_dict())

    def state(self):
        return {"net": self.net.state_dict(), "mean": self.mean.state_dict(), "earlier": self.earlier,
                "optimizer": self.optimizer.state_dict(), "steps": self.steps}

    def restore(self, state):
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.steps, self.earlier = state["steps"], state["earlier"]
        self.spread()


def final_weights(state):
    """The weights for use of a tower in that state: the running mean, averaged with that of earlier once it was kept."""
    mean, earlier = state["mean"], state["earlier"] or state["mean"]
    return {name: mean[name].lerp(earlier[name], EARLIER_SHARE) if mean[name].is_floating_point() else mean[name] for name in mean}


class Part:
    """A network that answers a part of a batch and finds out in which direction to change for it."""

    def __init__(self, net, device):
        self.net, self.device, self.frozen, self.logits = net, device, net.layers[:0], None

    def freeze(self, count):
        fixed = self.net.layers[:count].eval().requires_grad_(False)
        self.frozen = copy.deepcopy(fixed)
        fold(self.frozen)

    def answer(self, x):
        with torch.autocast(self.device, torch.bfloat16):
            self.logits = self.net.behind(self.frozen(x), len(self.frozen)).float()
        return self.logits

    def learn(self, targets, guesses, trust):
        """Finds the gradients for the batch answered last. Returns the loss without the others' guesses."""
        loss = -(targets * F.log_softmax(self.logits, 1)).sum(1).mean()
        own = loss.item()
        for guess in guesses if trust else ():
            loss = loss + trust / len(guesses) * agreement(self.logits, guess)
        loss.backward()
        return own


def agreement(logits, guess):
    """How far `logits` are from another tower's, which is not changed by it. Zhang et al. 2018 (deep mutual learning)."""
    p = F.log_softmax(guess.detach() / GUESS_TEMPERATURE, 1)
    q = F.log_softmax(logits / GUESS_TEMPERATURE, 1)
    return GUESS_TEMPERATURE**2 * F.kl_div(q, p, log_target=True, reduction="batchmean")


def parameter_groups(net):
    """Weight decay for filters and the head's matrix only, not for scales and shifts."""
    matrices = [p for p in net.parameters() if p.ndim > 1]
    vectors = [p for p in net.parameters() if p.ndim <= 1]
    return [{"params": matrices, "weight_decay": WEIGHT_DECAY}, {"params": vectors, "weight_decay": 0}]


@torch.no_grad()
def average(mean, net, step):
    decay = min(AVERAGE_DECAY, (1 + step) / (10 + step))
    for a, b in zip(mean.state_dict().values(), net.state_dict().values()):
        if a.dtype.is_floating_point:
            a.lerp_(b, 1 - decay)
        else:
            a.copy_(b)

"""One network in training: its weights, their running mean, and its optimizer."""
import copy

import torch
import torch.nn.functional as F

from network import fold

AVERAGE_DECAY = 0.998
WEIGHT_DECAY = 1e-4
CLIP_NORM = 5.0
LABEL_SMOOTHING = 0.1
# The other towers' answers are softened by this before they are learnt: their second and third guesses teach most.
GUESS_TEMPERATURE = 2.0


class Tower:
    def __init__(self, net, rate, device):
        self.net = net.to(device, memory_format=torch.channels_last).train()
        self.mean = copy.deepcopy(self.net).requires_grad_(False).eval()
        self.optimizer = torch.optim.SGD(parameter_groups(self.net), lr=rate, momentum=0.9, nesterov=True)
        self.frozen = self.net.layers[:0]
        self.device, self.steps = device, 0

    def freeze(self, count):
        """Leaves the first layers as they are from now on; works with a faster copy of them."""
        if count > len(self.frozen):
            fixed = self.net.layers[:count].eval().requires_grad_(False)
            self.frozen = copy.deepcopy(fixed)
            fold(self.frozen)

    def answer(self, x):
        """Logits of a batch, to be learnt from with `learn`."""
        with torch.autocast(self.device, torch.bfloat16):
            return self.net.behind(self.frozen(x), len(self.frozen)).float()

    def learn(self, logits, targets, guesses, trust, rate):
        """One step; `targets` is [(labels, share)], `guesses` the others' logits, `trust` their weight. Returns the loss."""
        loss = sum(share * F.cross_entropy(logits, y, label_smoothing=LABEL_SMOOTHING) for y, share in targets)
        own = loss.item()
        for guess in guesses if trust else ():
            loss = loss + trust / len(guesses) * agreement(logits, guess)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), CLIP_NORM)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.steps += 1
        average(self.mean, self.net, self.steps)
        return own

    def state(self):
        return {"net": self.net.state_dict(), "mean": self.mean.state_dict(), "optimizer": self.optimizer.state_dict(), "steps": self.steps}

    def restore(self, state):
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.steps = state["steps"]


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

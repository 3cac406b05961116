"""Where a message leads who wants no more: opening the page changes nothing, because programs that scan mail do."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from campaigns.actions.mail import receiver_of, resume_mail, stop_mail


@csrf_exempt  # mail programs send it (RFC 8058), without a page before; the address is the key
@require_http_methods(["GET", "HEAD", "POST"])
def no_more_mail(request: HttpRequest, key: str) -> HttpResponse:
    receiver = receiver_of(key)
    if receiver is None:
        return render(request, "people/no_more_mail.html", {"receiver": None}, status=404)
    if request.method == "POST":
        act = request.POST.get("act", "")
        if act == "undo":
            resume_mail(receiver)
        else:
            stop_mail(receiver, of_site=act == "site")
        return redirect("no-more-mail", key)
    return render(request, "people/no_more_mail.html", {"receiver": receiver, "stops": receiver.stops})
